/** Configures Weir in applications with Spring Boot 4. Applications name no class of it. */
@NullMarked
package io.weir.spring.boot4;

import org.jspecify.annotations.NullMarked;
