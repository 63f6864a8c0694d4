!mod$ v1 sum:4327f08007d712dc
!need$ e9bb7d12220e7acf n kernel
module smoothing
use kernel,only:int64
use kernel,only:real64
use kernel,only:datum
use kernel,only:argument_size
use kernel,only:seconds
use kernel,only:report
contains
subroutine smooth(steps,now,next)
integer(4),intent(in)::steps
real(8),intent(inout)::now(:,:)
real(8),intent(inout)::next(:,:)
end
end
