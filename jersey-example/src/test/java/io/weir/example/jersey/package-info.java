/** Starts the example and sends requests. */
@NullMarked
package io.weir.example.jersey;

import org.jspecify.annotations.NullMarked;
