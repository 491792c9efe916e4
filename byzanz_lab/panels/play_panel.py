import ipywidgets as w


class PlayPanel(w.VBox):
    def on_advise(self, f):
        pass
