/** An application of Spring Boot that runs in the tests' own process. */
@NullMarked
package io.weir.spring.operations;

import org.jspecify.annotations.NullMarked;
