package io.weir.example.spring;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/** Serves a page that lists the endpoints, with a curl command for each. */
@RestController
class IndexController {
  @GetMapping(path = "/", produces = MediaType.TEXT_HTML_VALUE + ";charset=UTF-8")
  String index() throws IOException {
    String base = ServletUriComponentsBuilder.fromCurrentContextPath().build().toUriString();
    return new ClassPathResource("index.html", IndexController.class)
        .getContentAsString(StandardCharsets.UTF_8)
        .replace("{base}", base);
  }
}
