/** Runs the shared tests of the examples; in the example's package, since it has no public API. */
@NullMarked
package io.weir.example.servlet;

import org.jspecify.annotations.NullMarked;
