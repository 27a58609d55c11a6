/** The application of docs/moving.md with Bucket4j, whose code is held to the page. */
@NullMarked
package io.weir.spring.moving.before;

import org.jspecify.annotations.NullMarked;
