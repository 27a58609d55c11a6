package io.weir.internal.container;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RawUriTest {
  @ParameterizedTest
  @CsvSource({
    "user=alice, alice",
    "a=1&user=alice&user=bob, alice",
    "&&user=alice&, alice",
    "%75ser=%61lice, alice",
    "user=a=b, a=b",
    "user=J%C3%bcrgen, Jürgen",
    "user=Jürgen%20, 'Jürgen '",
    "user=a+b, 'a b'",
    "user=a%2Bb, a+b",
    "user=a%26user=b, a&user=b",
    "user=%F0%9F%98%80😀, 😀😀",
    "user=%00, '\u0000'",
    "user=, ''",
    "user, ''",
  })
  void readsTheFirstValueDecoded(String query, String value) {
    assertEquals(Optional.of(value), RawUri.find(query, "user"));
  }

  @ParameterizedTest
  @CsvSource({
    "user=%",
    "user=%4",
    "user=%zz",
    "user=%+1",
    "user=% 1",
    "user=%-1",
    "user=alice%",
    "%zz=alice",
    "User=alice",
    "'user =alice'",
    "xuser=alice",
    "''",
  })
  void findsNothingInGarbageOrOtherNames(String query) {
    assertEquals(Optional.empty(), RawUri.find(query, "user"));
  }

  @Test
  void findsAllValuesOfANameAndLeavesWhatIsMalformed() {
    assertEquals(List.of("5", "a b", ""), RawUri.findAll("a=5&b=6&%61=a+b&a", "a"));
    assertEquals(List.of("%zz", "5"), RawUri.findAll("a=%zz&a=5&%zz=7", "a"));
    assertEquals(List.of(), RawUri.findAll("A=5", "a"));
  }

  @Test
  void passesOverAMalformedPairToTheNext() {
    assertEquals(Optional.of("alice"), RawUri.find("user=%zz&user=alice", "user"));
  }

  @Test
  void takesNoForeignDigitForAnEscape() {
    assertEquals(Optional.empty(), RawUri.find("user=%\u0664\u0661", "user"));
  }

  @ParameterizedTest
  @CsvSource({
    "/a+b%20c, /a+b c",
    "/app/%2e/api/hello, /app/api/hello",
    "/app/x/..;/api;v=1/hello;s, /app/api/hello",
    "//app/./x/%2E%2e/api/, //app/api/",
    "/../app, /app",
    "/app/%zz, /app/%zz",
    "/app/a%2F..%2F..%2Fb/%2e%2E/c, /app/c",
    "/app/a%2F..%2F..%2Fb, /app/a/../../b",
    "'', /",
  })
  void plainsAPath(String raw, String path) {
    assertEquals(path, RawUri.path(raw));
  }
}
