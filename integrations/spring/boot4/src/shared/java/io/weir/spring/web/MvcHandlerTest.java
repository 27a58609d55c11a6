package io.weir.spring.web;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Weir;
import io.weir.adapter.Adapter;
import io.weir.adapter.AdapterOptions;
import jakarta.servlet.http.HttpServletRequest;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;

class MvcHandlerTest {
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
    try (Weir weir = Weir.builder().build();
        Adapter adapter = Weir.adapter(AdapterOptions.defaults().withWeir(weir))) {
      Set<String> binding = new TreeSet<>();
      Arrays.stream(Handlers.class.getDeclaredMethods())
          .filter(each -> new MvcHandler(adapter.unlimited(), each, false).bindsParameters())
          .forEach(each -> binding.add(each.getName()));
      assertEquals(Set.of("form", "mixed", "named", "plain"), binding);
    }
  }
}
