/** The HTTP endpoints that decide and explain. */
@NullMarked
package io.weir.internal.control.rest;

import org.jspecify.annotations.NullMarked;
