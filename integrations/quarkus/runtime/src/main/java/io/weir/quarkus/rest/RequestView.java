package io.weir.quarkus.rest;

import io.weir.adapter.BodyReader;
import io.weir.adapter.ReadBody;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.security.Principal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A request as it is seen at one place: as it arrived, or as filters of JAX-RS have left it.
 *
 * <p>Used by one thread after the other.
 */
interface RequestView {
  String method();

  /** Returns the path by which a resource is looked up: without matrix parameters. */
  String path();

  /** Returns the lines of a header field. */
  List<String> headers(String name);

  /** Returns the decoded values of a parameter in the query. */
  List<String> queries(String name);

  /** Returns the decoded value of a variable in the path. */
  Optional<String> variable(String name);

  /** Passes on the name and the value of each line of a header field. */
  void eachField(BiConsumer<String, String> line);

  /**
   * Passes on the name and the decoded value of each parameter of the query, if it is well-formed.
   */
  void eachQuery(BiConsumer<String, String> parameter);

  /** Finds whom a filter or Quarkus Security has signed in, as far as that is known here. */
  CompletionStage<@Nullable Principal> user();

  /**
   * Reads a body that JAX-RS has, since it has read what was sent, or a filter has put another one
   * in its place.
   *
   * @return empty if it would read what was sent
   * @throws IOException as {@link BodyReader#read}
   */
  Optional<ReadBody> readBody(BodyReader reader) throws IOException;

  /** Returns whether JAX-RS would still read the body that was read for policies before. */
  boolean hasStill(ReadBody body);

  /** Shows JAX-RS a body as if nobody had read it for policies. */
  void show(ReadBody body);

  /** Passes on each value of a map with its name. */
  static void each(Map<String, List<String>> all, BiConsumer<String, String> value) {
    all.forEach((name, values) -> values.forEach(each -> value.accept(name, each)));
  }

  /** Returns a stream of the whole body, of which a part was read for policies. */
  static InputStream again(ReadBody read, InputStream rest) {
    InputStream again = new ByteArrayInputStream(read.bytes());
    return read.isWhole() ? again : new SequenceInputStream(again, rest);
  }

  /** Returns whether a stream in memory has what was read for policies, if that is everything. */
  static boolean hasStill(InputStream stream, ReadBody read) {
    if (!read.isWhole()) {
      return true;
    }
    if (!(stream instanceof ByteArrayInputStream bytes)) {
      return false;
    }
    bytes.mark(0);
    boolean isSame = Arrays.equals(bytes.readAllBytes(), read.bytes());
    bytes.reset();
    return isSame;
  }
}
