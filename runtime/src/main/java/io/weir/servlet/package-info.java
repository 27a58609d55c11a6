/** Limits the servlets of a web application by a {@link io.weir.servlet.RateLimitFilter}. */
@NullMarked
package io.weir.servlet;

import org.jspecify.annotations.NullMarked;
