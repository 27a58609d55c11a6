/**
 * The parts of Weir that adapters use: code that brings the requests of a web framework to the
 * policies of an application. An adapter opens an {@link io.weir.adapter.Adapter}, finds a {@link
 * io.weir.adapter.LimitedEndpoint} for each handler, and takes each request as a {@link
 * io.weir.adapter.LimitedRequest} through both phases to its end.
 */
@NullMarked
package io.weir.adapter;

import org.jspecify.annotations.NullMarked;
