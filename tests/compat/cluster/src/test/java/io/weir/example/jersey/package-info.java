/** Lets tests start the example; in its package, since it has no public API. */
@NullMarked
package io.weir.example.jersey;

import org.jspecify.annotations.NullMarked;
