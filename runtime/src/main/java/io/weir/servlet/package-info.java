/**
 * Limits the servlets of a web application: {@link io.weir.servlet.RateLimitFilter} in its chain of
 * filters.
 */
@NullMarked
package io.weir.servlet;

import org.jspecify.annotations.NullMarked;
