package io.weir.internal.container;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JaxrsTemplateTest {
  @ParameterizedTest
  @CsvSource({
    "'', '', /",
    "/, /, /",
    "/a/, /b/, /a/b",
    "caf%C3%A9, '1+1%20/100%/%7B%7D/%2F', '/café/1+1 /100%/%7B%7D/%2F'",
    "a, '{rest: .*}', /a/{rest}",
    "'a/{x:[/:]+}-{y}', '{ z }', /a/{x}-{y}/{z}"
  })
  void joinsWithoutDoubledSlashes(String first, String second, String template) {
    assertEquals(template, JaxrsTemplate.joined(first, second));
  }
}
