/** The application of docs/spring.md, whose code is held to the page by a test. */
@NullMarked
package io.weir.spring.page;

import org.jspecify.annotations.NullMarked;
