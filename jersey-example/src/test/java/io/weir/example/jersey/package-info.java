/** Starts the example and asks it. */
@NullMarked
package io.weir.example.jersey;

import org.jspecify.annotations.NullMarked;
