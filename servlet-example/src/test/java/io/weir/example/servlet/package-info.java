/** Starts the example and sends requests. */
@NullMarked
package io.weir.example.servlet;

import org.jspecify.annotations.NullMarked;
