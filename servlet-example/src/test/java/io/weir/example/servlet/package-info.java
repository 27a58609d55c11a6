/** Starts the example and asks it. */
@NullMarked
package io.weir.example.servlet;

import org.jspecify.annotations.NullMarked;
