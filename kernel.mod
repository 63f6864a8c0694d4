!mod$ v1 sum:e9bb7d12220e7acf
!need$ b86a2090de1a6bef i iso_fortran_env
module kernel
use,intrinsic::iso_fortran_env,only:int64
use,intrinsic::iso_fortran_env,only:real64
contains
elemental function datum(salt,i,j) result(value)
integer(4),intent(in)::salt
integer(4),intent(in)::i
integer(4),intent(in)::j
real(8)::value
end
function argument_size() result(n)
integer(4)::n
end
function seconds()
real(8)::seconds
end
subroutine report(took,values)
real(8),intent(in)::took
real(8),intent(in)::values(:)
end
end
