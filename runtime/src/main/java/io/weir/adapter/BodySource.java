package io.weir.adapter;

import io.weir.spi.RequestInfo;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A request that offers its body to policies that read it, such as by {@code form:user}: for
 * adapters whose {@linkplain EndpointType#bodies() endpoints allow} such policies.
 *
 * <p>Used by one thread at a time.
 */
public interface BodySource extends RequestInfo {
  /**
   * Reads the body for policies: afterwards {@link #form}, {@link #json} and {@link #jsonNumber}
   * find its values, and the application finds the body as if nobody had read it. Called in the
   * thread that decides; never where no policy of the endpoint reads the body, nor once {@link
   * #content} has one that isn't {@linkplain ReadBody#isInStream() in its stream}.
   *
   * @param reader reads within the bounds of the settings; its exceptions are passed on
   * @return the body; complete where the thread may wait here, as it may unless the request is
   *     decided by {@link LimitedRequest#decideAsync}. Fails as this method does
   * @throws IOException if the connection fails; the request is then answered with 400
   */
  CompletionStage<ReadBody> readBody(BodyReader reader) throws IOException;

  /**
   * Returns the body as policies have read it.
   *
   * @return empty until {@link #readBody} has succeeded
   */
  Optional<ReadBody> content();

  @Override
  default Optional<String> form(String name) {
    return content().flatMap(read -> read.form(name, queries(name)));
  }

  @Override
  default Optional<String> json(String pointer) {
    return content().flatMap(read -> read.json(pointer));
  }

  @Override
  default Optional<String> jsonNumber(String pointer) {
    return content().flatMap(read -> read.jsonNumber(pointer));
  }
}
