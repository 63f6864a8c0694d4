/* Annotations of functions for the loop optimizer Farkas, in C and C++.
 *
 * They are written in front of a function and mean something to the plugin only: without it the same code is compiled as without them.
 *
 *   FARKAS_OFF                      leaves all loop nests of the function as they are
 *   FARKAS_TILE(32, 32, 512)        gives the sizes of tiles: one for each loop of a tiled nest, outermost first
 *   FARKAS_PLAN("tile 32 32")       asks for an order, in the steps of `farkas plan --apply`
 *   FARKAS_LOOP(2, "off")           is about the second outermost loop of the function only
 *   FARKAS_LINE(40, "tile 32 32")   is about the loop at line 40 only (with -gline-tables-only)
 *
 * What FARKAS_LOOP and FARKAS_LINE ask for is `off`, `tile-sizes SIZES` or steps.
 */
#ifndef FARKAS_H
#define FARKAS_H

#ifdef __clang__
#define FARKAS_ANNOTATION(text) __attribute__((annotate("farkas: " text)))
#else
#define FARKAS_ANNOTATION(text)
#endif

#define FARKAS_OFF FARKAS_ANNOTATION("off")
#define FARKAS_TILE(...) FARKAS_ANNOTATION("tile-sizes " #__VA_ARGS__)
#define FARKAS_PLAN(steps) FARKAS_ANNOTATION(steps)
#define FARKAS_LOOP(number, request) FARKAS_ANNOTATION("loop " #number ": " request)
#define FARKAS_LINE(line, request) FARKAS_ANNOTATION("line " #line ": " request)

#endif
