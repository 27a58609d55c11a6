/**
 * A Jersey application whose resources are limited by annotation. {@code ExampleApplication}
 * registers the feature; {@code LimitResource} and the other resources have the limits.
 */
@NullMarked
package io.weir.example.jersey;

import org.jspecify.annotations.NullMarked;
