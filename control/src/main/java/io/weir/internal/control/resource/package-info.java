/** Annotations that describe resource methods: their roles, bodies and answers. */
@NullMarked
package io.weir.internal.control.resource;

import org.jspecify.annotations.NullMarked;
