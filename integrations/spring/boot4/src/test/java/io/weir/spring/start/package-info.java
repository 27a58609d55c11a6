/** The application of docs/spring-start.md, whose code is held to the page by a test. */
@NullMarked
package io.weir.spring.start;

import org.jspecify.annotations.NullMarked;
