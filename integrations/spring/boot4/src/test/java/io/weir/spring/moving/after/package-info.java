/** The application of docs/moving.md with Weir, whose code is held to the page. */
@NullMarked
package io.weir.spring.moving.after;

import org.jspecify.annotations.NullMarked;
