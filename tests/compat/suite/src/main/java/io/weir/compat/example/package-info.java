/**
 * Tests the examples over HTTP: each endpoint's limit, the responses, and a setting that changes
 * while requests come in.
 */
@NullMarked
package io.weir.compat.example;

import org.jspecify.annotations.NullMarked;
