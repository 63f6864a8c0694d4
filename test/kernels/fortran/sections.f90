! Smoothing of every third point of a grid: arrays of assumed shape that are sections of other ones.
include 'kernel.f90'

module smoothing
  use kernel
  implicit none

contains

  subroutine smooth(steps, now, next)
    integer, intent(in) :: steps
    real(real64), intent(inout) :: now(:, :), next(:, :)
    integer :: t, i, j
    do t = 1, steps
      do i = 2, size(now, 1) - 1
        do j = 2, size(now, 2) - 1
          next(i, j) = 0.25_real64 * (now(i - 1, j) + now(i + 1, j) + now(i, j - 1) + now(i, j + 1))
        end do
      end do
      do i = 2, size(now, 1) - 1
        do j = 2, size(now, 2) - 1
          now(i, j) = next(i, j)
        end do
      end do
    end do
  end subroutine
end module

program main
  use smoothing
  implicit none
  real(real64), allocatable :: now(:, :), next(:, :)
  real(real64) :: start
  integer :: n, i, j
  n = argument_size()
  now = reshape([((datum(1, i, j), i = 1, n), j = 1, n)], [n, n])
  next = now
  start = seconds()
  call smooth(5, now, next)
  ! Every third row, and the columns from the last to the first.
  call smooth(5, now(1::3, n:1:-1), next(1::3, n:1:-1))
  call report(seconds() - start, [reshape(now, [size(now)]), reshape(next, [size(next)])])
end program
