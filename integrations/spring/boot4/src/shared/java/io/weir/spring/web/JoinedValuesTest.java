package io.weir.spring.web;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.http.HttpServletRequest;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;

class JoinedValuesTest {
  interface Handlers {
    void named(@RequestParam String phone);

    void plain(String phone);

    void form(StringBuilder anyBean);

    void mixed(HttpServletRequest request, @RequestParam String phone);

    void webhook(HttpServletRequest request);

    void stream(InputStream body, @PathVariable String id);

    void json(@RequestBody String body);

    void nothing();
  }

  /** Only there a text may be made of several values, and only there the form has been read. */
  @Test
  void bindsParametersWhereSpringDoes() {
    Set<String> binding = new TreeSet<>();
    Arrays.stream(Handlers.class.getDeclaredMethods())
        .filter(JoinedValues::areBound)
        .forEach(each -> binding.add(each.getName()));
    assertEquals(Set.of("form", "mixed", "named", "plain"), binding);
  }
}
