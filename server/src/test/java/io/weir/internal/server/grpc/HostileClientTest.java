package io.weir.internal.server.grpc;

import static io.weir.internal.server.envoy.proto.RateLimitResponse.Code.OK;
import static io.weir.internal.server.grpc.Http2Flood.END_HEADERS;
import static io.weir.internal.server.grpc.Http2Flood.END_STREAM;
import static io.weir.internal.server.grpc.Http2Flood.HEADERS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.RateLimiter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a hostile client doesn't disturb the others. */
class HostileClientTest {
  private static final String METHOD =
      "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";
  private static final byte[] CALL = Http2Flood.call(METHOD, "content-type", "application/grpc");
  private static final byte[] CANCEL = {0, 0, 0, 8};

  @TempDir Path folder;
  private EnvoyServer server;

  @BeforeEach
  void start() throws IOException {
    Files.writeString(
        folder.resolve("shop.yaml"),
        """
        domain: shop
        descriptors: [{key: user, rate_limit: {unit: year, requests_per_unit: 1000}}]
        """);
    server = EnvoyServer.open(RateLimiter.inProcess(), folder);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private void assertOthersAreServed() {
    assertEquals(
        OK, server.stub().shouldRateLimit(EnvoyServer.request("user", "al")).getOverallCode());
  }

  @Test
  void aFloodOfResetsEndsItsConnectionAlone() throws IOException {
    try (Http2Flood flood = new Http2Flood(server.port())) {
      flood.preface();
      try {
        for (int stream = 1; stream < 200_000; stream += 2) {
          flood.frame(HEADERS, END_HEADERS, stream, CALL);
          flood.frame(Http2Flood.RST_STREAM, 0, stream, CANCEL);
        }
        throw new AssertionError("100,000 calls were opened and reset");
      } catch (IOException ended) {
        // as it should be
      }
    }
    assertOthersAreServed();
  }

  @Test
  void aFloodOfResetsIsToldWhy() throws IOException {
    try (Http2Flood flood = new Http2Flood(server.port())) {
      flood.preface();
      try {
        for (int stream = 1; stream < 2 * 2_010; stream += 2) {
          flood.frame(HEADERS, END_HEADERS, stream, CALL);
          flood.frame(Http2Flood.RST_STREAM, 0, stream, CANCEL);
        }
      } catch (IOException ended) {
        // told before the last ones
      }
      assertEquals(Http2Flood.ENHANCE_YOUR_CALM, flood.awaitGoAway());
    }
  }

  @Test
  void aFloodOfPingsEndsItsConnectionAlone() throws IOException {
    try (Http2Flood flood = new Http2Flood(server.port())) {
      flood.preface();
      try {
        for (int i = 0; i < 10; i++) {
          flood.frame(Http2Flood.PING, 0, 0, new byte[8]);
        }
      } catch (IOException ended) {
        // told before the last ones
      }
      assertEquals(Http2Flood.ENHANCE_YOUR_CALM, flood.awaitGoAway());
    }
    assertOthersAreServed();
  }

  @Test
  void whatIsNoHttp2IsClosed() throws IOException {
    for (String text : new String[] {"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "\u0000\u0001", "PRI"}) {
      try (Http2Flood other = new Http2Flood(server.port())) {
        other.raw(text.getBytes(StandardCharsets.US_ASCII));
      }
    }
    assertOthersAreServed();
  }

  @Test
  void badFieldsDoNotEndTheServer() throws IOException {
    for (byte[] block :
        new byte[][] {
          Http2Flood.call(METHOD),
          Http2Flood.call(METHOD, "content-type", "text/html"),
          Http2Flood.call("/no/such", "content-type", "application/grpc"),
          Http2Flood.call("", "content-type", "application/grpc"),
          Http2Flood.call(METHOD, "content-type", "application/grpc", "Upper", "case"),
          Http2Flood.call(METHOD, "content-type", "application/grpc", "x-bin", "not base 64"),
          Http2Flood.call(METHOD, "content-type", "application/grpc", "grpc-timeout", "never"),
          Http2Flood.call(METHOD, "content-type", "application/grpc", "grpc-encoding", "zip"),
          Http2Flood.call(METHOD, "content-type", "application/grpc", "authorization", "ü\n"),
          {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff}
        }) {
      try (Http2Flood bad = new Http2Flood(server.port())) {
        bad.preface();
        bad.frame(HEADERS, END_HEADERS | END_STREAM, 1, block);
      }
      assertOthersAreServed();
    }
  }

  @Test
  void halfACallHoldsUpNobody() throws IOException {
    List<Http2Flood> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 50; i++) {
        Http2Flood half = new Http2Flood(server.port());
        slow.add(half);
        half.preface();
        half.frame(HEADERS, END_HEADERS, 1, CALL);
        half.frame(Http2Flood.DATA, 0, 1, new byte[] {0, 0, 0, 1});
      }
      assertOthersAreServed();
    } finally {
      for (Http2Flood each : slow) {
        each.close();
      }
    }
  }

  /** Else a thousand calls without a token keep a gigabyte, as their last bytes never come. */
  @Test
  void whoHasNoTokenSendsSmallMessages() throws IOException {
    byte[] health =
        Http2Flood.call("/grpc.health.v1.Health/Check", "content-type", "application/grpc");
    byte[] half = new byte[8 * 1024];
    half[2] = 0x10; // of a megabyte
    try (Http2Flood flood = new Http2Flood(server.port())) {
      flood.preface();
      for (int stream = 1; stream < 20; stream += 2) {
        flood.frame(HEADERS, END_HEADERS, stream, health);
        flood.frame(Http2Flood.DATA, 0, stream, half);
        assertTrue(flood.awaitEndOf(stream));
      }
    }
    assertOthersAreServed();
  }

  /** Else each connection keeps up to 8 MiB while a token is looked for. */
  @Test
  void littleIsSentAheadOfWhatIsRead() throws IOException {
    try (Http2Flood other = new Http2Flood(server.port())) {
      other.preface();
      assertEquals(64 * 1024, other.awaitSetting(Http2Flood.INITIAL_WINDOW_SIZE));
    }
  }

  @Test
  void aMessageThatIsNoneIsAnError() throws IOException {
    try (Http2Flood bad = new Http2Flood(server.port())) {
      bad.preface();
      bad.frame(HEADERS, END_HEADERS, 1, CALL);
      bad.frame(Http2Flood.DATA, END_STREAM, 1, new byte[] {0, 0, 0, 0, 2, 0x0a, 0x7f});
    }
    assertOthersAreServed();
  }

  @Test
  void connectionsBeyondTheirNumberAreClosedAtOnce() throws IOException {
    try (EnvoyServer few =
        EnvoyServer.start(
            RateLimiter.inProcess(), GrpcServer.builder().open().connections(2), folder)) {
      assertEquals(
          OK, few.stub().shouldRateLimit(EnvoyServer.request("user", "al")).getOverallCode());
      try (Http2Flood second = new Http2Flood(few.port());
          Http2Flood third = new Http2Flood(few.port())) {
        second.preface();
        assertEquals(-1, third.awaitGoAway());
        second.frame(Http2Flood.PING, 0, 0, new byte[7]); // too short, so it gets a GOAWAY
        assertNotEquals(-1, second.awaitGoAway());
      }
      long answer = -1;
      for (int i = 0; i < 1_000 && answer == -1; i++) { // until the server has seen the second go
        try (Http2Flood next = new Http2Flood(few.port())) {
          next.preface();
          next.frame(Http2Flood.PING, 0, 0, new byte[7]);
          answer = next.awaitGoAway();
        } catch (IOException refused) {
          // once more
        }
      }
      assertNotEquals(-1, answer);
      assertEquals(
          OK, few.stub().shouldRateLimit(EnvoyServer.request("user", "al")).getOverallCode());
    }
  }
}
