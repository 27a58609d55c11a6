/**
 * A Spring Boot application whose controllers and beans are limited by annotation. The dependency
 * on the starter is all that it has of Weir; {@code LimitController} and the others have the
 * limits.
 */
@NullMarked
package io.weir.example.spring;

import org.jspecify.annotations.NullMarked;
