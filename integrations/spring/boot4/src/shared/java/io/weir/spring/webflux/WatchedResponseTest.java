package io.weir.spring.webflux;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.adapter.LimitedRequest;
import java.io.EOFException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpStatus;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import reactor.core.publisher.Flux;

class WatchedResponseTest {
  private final List<String> ends = new ArrayList<>();

  private final LimitedRequest request =
      (LimitedRequest)
          Proxy.newProxyInstance(
              LimitedRequest.class.getClassLoader(),
              new Class<?>[] {LimitedRequest.class},
              (proxy, method, arguments) ->
                  ends.add(method.getName() + (arguments == null ? "" : " " + arguments[0])));

  private WatchedResponse answering(HttpStatus status) {
    WatchedResponse response =
        WatchedResponse.of(MockServerHttpRequest.get("/").build(), new MockServerHttpResponse());
    response.end(request);
    response.setStatusCode(status);
    return response;
  }

  private void leave(WatchedResponse response) {
    DataBuffer some = response.bufferFactory().wrap(new byte[1]);
    response
        .writeWith(
            Flux.concat(Flux.just(some), Flux.error(new EOFException("the caller has left"))))
        .onErrorComplete()
        .block();
  }

  @Test
  void aResponseWhoseCallerLeavesIsAbortedWithItsStatus() {
    leave(answering(HttpStatus.UNAUTHORIZED));
    leave(answering(HttpStatus.OK));
    assertEquals(List.of("aborted 401", "aborted 200"), ends);
  }

  @Test
  void aResponseThatWasNotBegunHasNoStatus() {
    answering(HttpStatus.UNAUTHORIZED).failed();
    assertEquals(List.of("aborted 0"), ends);
  }
}
