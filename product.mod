!mod$ v1 sum:423f6facb6656b72
!need$ e9bb7d12220e7acf n kernel
module product
use kernel,only:int64
use kernel,only:real64
use kernel,only:datum
use kernel,only:argument_size
use kernel,only:seconds
use kernel,only:report
contains
subroutine gemm(a,b,c)
real(8),intent(in)::a(:,:)
real(8),intent(in)::b(:,:)
real(8),intent(inout)::c(:,:)
end
end
