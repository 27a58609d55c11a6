/** Starts the example and sends requests. */
@NullMarked
package io.weir.example.spring;

import org.jspecify.annotations.NullMarked;
