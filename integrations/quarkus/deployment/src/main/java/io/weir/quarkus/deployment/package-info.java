/** Runs when Quarkus builds an application with Weir. Nothing here is for applications. */
@NullMarked
package io.weir.quarkus.deployment;

import org.jspecify.annotations.NullMarked;
