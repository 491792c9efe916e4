import ipywidgets as w


class CardsPanel(w.VBox):
    def __init__(self, s):
        super().__init__()

    def wake(self):
        pass
