package io.weir.adapter;

import java.io.IOException;
import java.util.concurrent.CompletionStage;

/**
 * Offers the body of a request to policies that read it, such as by {@code form:user}. The {@code
 * RequestInfo} of an adapter implements it whose {@linkplain EndpointType#bodies() endpoints allow}
 * such policies.
 *
 * <p>Used by one thread at a time.
 */
public interface BodySource {
  /**
   * Reads the body for policies, unless that was done before: afterwards {@code RequestInfo.form},
   * {@code json} and {@code jsonNumber} find its values, and the application finds the body as if
   * nobody had read it. Called in the thread that decides; never where no policy of the endpoint
   * reads the body.
   *
   * @param reader reads within the bounds of the settings; its exceptions are passed on
   * @return the body; complete where the thread may wait here, as it may unless the request is
   *     decided by {@link LimitedRequest#decideAsync}. Fails as this method does
   * @throws IOException if the connection fails; the request is then answered with 400
   */
  CompletionStage<ReadBody> readBody(BodyReader reader) throws IOException;
}
