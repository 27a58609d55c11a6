package io.weir.internal.server.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Replays the recorded first commands of clients, including some that the build doesn't have, and
 * earlier versions. The replies must be as recorded, whether commands arrive one by one, all at
 * once, or byte by byte.
 */
class RecordedSessionsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String ANYTHING = "…";

  /** A command, and what it was answered. */
  private record Exchange(List<String> words, String answer) {
    byte[] command() {
      return RespLine.command(words.toArray(new String[0]));
    }

    void check(String found) {
      if (answer.endsWith(ANYTHING)) {
        String begin = answer.substring(0, answer.length() - 1);
        assertTrue(found.startsWith(begin), () -> found + " doesn't begin with " + begin);
      } else {
        assertEquals(answer, found);
      }
    }
  }

  private static List<Exchange> session(String client) throws IOException {
    String text;
    try (InputStream in =
        RecordedSessionsTest.class.getResourceAsStream("sessions/" + client + ".txt")) {
      text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
    List<Exchange> all = new ArrayList<>();
    List<String> command = List.of();
    for (String line : text.lines().toList()) {
      if (line.startsWith("> ")) {
        String words = line.substring(2).replace("TOKEN", Served.TOKEN);
        command = List.of(JSON.readValue(words, String[].class));
      } else if (line.startsWith("< ")) {
        String answer = line.substring(2).replace("\\r", "\r").replace("\\n", "\n");
        all.add(new Exchange(command, answer));
      }
    }
    assertTrue(all.size() >= 2, client);
    return all;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ioredis",
        "jedis",
        "lettuce",
        "node-redis",
        "redis-cli",
        "redis-cli-resp3",
        "redis-py"
      })
  void isAnsweredAsItWas(String client) throws Exception {
    List<Exchange> session = session(client);
    try (Served oneByOne = Served.closed();
        RespLine line = oneByOne.connect()) {
      for (Exchange each : session) {
        line.send(each.command());
        each.check(line.read());
      }
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (Exchange each : session) {
      all.writeBytes(each.command());
    }
    try (Served atOnce = Served.closed();
        RespLine line = atOnce.connect()) {
      line.send(all.toByteArray());
      for (Exchange each : session) {
        each.check(line.read());
      }
    }
    try (Served byBytes = Served.closed();
        RespLine line = byBytes.connect()) {
      line.socket.setTcpNoDelay(true);
      for (byte each : all.toByteArray()) {
        line.send(new byte[] {each});
      }
      for (Exchange each : session) {
        each.check(line.read());
      }
    }
  }
}
