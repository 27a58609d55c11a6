/** Limits the resources of Quarkus REST and RESTEasy Classic. Nothing here is for applications. */
@NullMarked
package io.weir.quarkus.rest;

import org.jspecify.annotations.NullMarked;
