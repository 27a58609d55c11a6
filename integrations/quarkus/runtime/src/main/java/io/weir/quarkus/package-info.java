/** Limits an application with Quarkus: its Weir, made of its configuration and its beans. */
@NullMarked
package io.weir.quarkus;

import org.jspecify.annotations.NullMarked;
