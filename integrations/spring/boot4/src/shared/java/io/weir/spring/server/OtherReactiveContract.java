package io.weir.spring.server;

import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** With WebFlux on a server other than the usual one, where that applies forwarded fields. */
abstract class OtherReactiveContract extends ReactiveAddressContract {
  static Stream<Arguments> table() {
    return Stream.of(Arguments.of("", true), Arguments.of("native", false));
  }
}
