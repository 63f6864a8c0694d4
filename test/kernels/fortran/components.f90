! Explicit shape and allocatable components: a vector is updated by a matrix and by its transpose.
include 'kernel.f90'

module update
  use kernel
  implicit none

  type system
    real(real64), allocatable :: matrix(:, :)
    real(real64), allocatable :: first(:), second(:), x(:), y(:)
  end type

contains

  subroutine apply(s)
    type(system), intent(inout) :: s
    integer :: i, j
    do i = 1, size(s%matrix, 1)
      do j = 1, size(s%matrix, 2)
        s%first(i) = s%first(i) + s%matrix(i, j) * s%x(j)
      end do
    end do
    do i = 1, size(s%matrix, 1)
      do j = 1, size(s%matrix, 2)
        s%second(j) = s%second(j) + s%matrix(i, j) * s%y(i)
      end do
    end do
  end subroutine
end module

program main
  use update
  implicit none
  type(system) :: s
  real(real64) :: start
  integer :: n, i, j
  n = argument_size()
  s%matrix = reshape([((datum(1, i, j), i = 1, n), j = 1, n)], [n, n])
  s%first = [(datum(2, i, 0), i = 1, n)]
  s%second = [(datum(3, i, 0), i = 1, n)]
  s%x = [(datum(4, i, 0), i = 1, n)]
  s%y = [(datum(5, i, 0), i = 1, n)]
  start = seconds()
  call apply(s)
  call report(seconds() - start, [s%first, s%second])
end program
