/** Tests of parts that have other names in each Spring Boot. */
@NullMarked
package io.weir.spring.boot3;

import org.jspecify.annotations.NullMarked;
