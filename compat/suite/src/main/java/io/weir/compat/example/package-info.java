/**
 * What both examples promise, tested over HTTP: each endpoint's limit, what comes back on the wire,
 * and a switch that is thrown while requests come in.
 */
@NullMarked
package io.weir.compat.example;

import org.jspecify.annotations.NullMarked;
