/** Configures Weir in applications with Spring Boot 3. Applications name no class of it. */
@NullMarked
package io.weir.spring.boot3;

import org.jspecify.annotations.NullMarked;
