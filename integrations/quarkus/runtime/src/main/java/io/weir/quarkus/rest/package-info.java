/** Limits the resource methods of Quarkus REST. Nothing here is for applications. */
@NullMarked
package io.weir.quarkus.rest;

import org.jspecify.annotations.NullMarked;
