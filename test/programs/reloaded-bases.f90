! Two nests over the components of one variable, whose addresses and strides are loaded for each nest.
module matrices
  type matrix
    real(8), allocatable :: a(:, :), b(:, :), c(:, :), d(:, :)
  end type
contains
  subroutine products(n, s)
    integer, intent(in) :: n
    type(matrix), intent(inout) :: s
    integer :: i, j, k
    do i = 1, n
      do j = 1, n
        do k = 1, n
          s%c(i, j) = s%c(i, j) + s%a(i, k) * s%b(k, j)
        end do
      end do
    end do
    do i = 1, n
      do j = 1, n
        do k = 1, n
          s%d(i, j) = s%d(i, j) + s%c(i, k) * s%b(k, j)
        end do
      end do
    end do
  end subroutine
end module

program main
  use matrices
  type(matrix) :: s
  integer, parameter :: n = 60
  integer :: i, j
  real(8) :: total
  allocate(s%a(n, n), s%b(n, n), s%c(n, n), s%d(n, n))
  do j = 1, n
    do i = 1, n
      s%a(i, j) = mod(i + 3 * j, 17)
      s%b(i, j) = mod(5 * i + j, 13)
      s%c(i, j) = 0
      s%d(i, j) = 0
    end do
  end do
  call products(n, s)
  total = 0
  do j = 1, n
    do i = 1, n
      total = total + s%c(i, j) + s%d(i, j)
    end do
  end do
  print '(F24.4)', total
end program
