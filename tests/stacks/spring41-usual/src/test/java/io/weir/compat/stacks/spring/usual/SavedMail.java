package io.weir.compat.stacks.spring.usual;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Keeps each mail as a product, for want of a mail server. */
@Service
class SavedMail implements Mail {
  private final Products products;

  SavedMail(Products products) {
    this.products = products;
  }

  @Override
  @Transactional
  public void send(String recipient) {
    products.save(new Product("a mail to " + recipient));
  }
}
