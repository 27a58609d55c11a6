/** Classes that the tests weave; the module for compile-time weaving compiles the same sources. */
@NullMarked
package io.weir.compat.aspectj;

import org.jspecify.annotations.NullMarked;
