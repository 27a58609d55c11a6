package io.weir.internal.value;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UrlQueryTest {
  @ParameterizedTest
  @CsvSource({
    "jdbc:postgresql://h/db, jdbc:postgresql://h/db",
    "jdbc:postgresql://h/user?user=a&ssl=true&password=b=c, jdbc:postgresql://h/user?ssl=true",
    "jdbc:postgresql://h/db?user=a, jdbc:postgresql://h/db?",
    "jdbc:postgresql://h/db?username=a&user, jdbc:postgresql://h/db?username=a",
    "jdbc:postgresql://h/db?User=a, jdbc:postgresql://h/db?User=a"
  })
  void loseTheNamedParameters(String url, String without) {
    assertEquals(without, UrlQuery.without(url, Set.of("user", "password")));
  }
}
