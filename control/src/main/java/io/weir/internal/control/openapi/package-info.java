/** Describes the resources as OpenAPI, from the annotations of their methods. */
@NullMarked
package io.weir.internal.control.openapi;

import org.jspecify.annotations.NullMarked;
