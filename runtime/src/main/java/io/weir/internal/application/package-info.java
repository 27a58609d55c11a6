/**
 * The Weir of one application: made from settings and from the parts that the application plugs in,
 * registered by class loader, and closed with the application.
 */
@NullMarked
package io.weir.internal.application;

import org.jspecify.annotations.NullMarked;
