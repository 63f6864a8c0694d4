! What the kernels in Fortran share, as kernel.h is for those in C: deterministic data, timing and output. The program's
! arguments are what to print and the size.
module kernel
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none

contains

  ! A value in [0, 1) that depends on all three numbers.
  elemental function datum(salt, i, j) result(value)
    integer, intent(in) :: salt, i, j
    real(real64) :: value
    integer(int64) :: mixed
    mixed = iand(salt * 2654435761_int64 + i * 40503_int64 + j * 9973_int64 + 12345_int64, 4294967295_int64)
    mixed = ieor(mixed, ishft(mixed, -13))
    value = real(mod(mixed, 4093_int64), real64) / 4096
  end function

  ! The size, which is the second argument.
  function argument_size() result(n)
    integer :: n
    character(len=20) :: text
    call get_command_argument(2, text)
    n = 1024
    if (text /= '') read (text, *) n
  end function

  function seconds()
    real(real64) :: seconds
    integer(int64) :: count, rate
    call system_clock(count, rate)
    seconds = real(count, real64) / real(rate, real64)
  end function

  ! Prints what the first argument says: how long it took, or the values.
  subroutine report(took, values)
    real(real64), intent(in) :: took, values(:)
    character(len=20) :: mode
    integer(int64) :: hash
    integer :: i
    call get_command_argument(1, mode)
    select case (mode)
    case ('time')
      print '(f0.9)', took
    case ('checksum')
      hash = 0
      do i = 1, size(values)
        hash = ieor(ishftc(hash, 5), transfer(values(i), hash))
      end do
      print '(z16.16)', hash
    case ('dump')
      print '(z16.16)', values
    case default
      stop 2
    end select
  end subroutine
end module
